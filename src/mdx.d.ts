declare module '*.mdx' {
  import type { ComponentType, JSX } from 'react'
  const Text: (props: { components?: Record<string, ComponentType<never>> }) => JSX.Element
  export default Text
}
