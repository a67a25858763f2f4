import type { ReactNode } from 'react'
import { useLocalPath } from '#src/ui/language.ts'

export function DeskHead({ title, links }: { title: ReactNode; links: [path: string, text: string][] }) {
  const to = useLocalPath()
  return (
    <div className="row items-baseline justify-between gap-x-4">
      <h1 className="text-2xl">{title}</h1>
      <p className="row gap-x-4 print:hidden">
        {links.map(([path, text]) => (
          <a key={path} href={to(path)} className="tap-link font-semibold">
            {text}
          </a>
        ))}
      </p>
    </div>
  )
}
