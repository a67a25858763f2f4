import type { ReactNode } from 'react'
import { useLocalPath } from '#src/ui/language.ts'
import { DeskTitle } from '#src/ui/single-keys.tsx'

interface HeadProps {
  title: ReactNode
  links: [path: string, text: string][]
}

export const DeskHead = ({ title, links }: HeadProps) => (
  <div className="row items-baseline justify-between gap-x-4">
    <DeskTitle>{title}</DeskTitle>
    <DeskLinks links={links} />
  </div>
)

export function DeskLinks({ links }: Pick<HeadProps, 'links'>) {
  const to = useLocalPath()
  return (
    <p className="row gap-x-4 lg:shrink-0 print:hidden">
      {links.map(([path, text]) => (
        <a key={path} href={to(path)} className="tap-link font-semibold">
          {text}
        </a>
      ))}
    </p>
  )
}
