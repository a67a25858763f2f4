/** The sort column of a desk's table: in the URL `sort=name`, descending `sort=-name`. */
export interface Sort<Name extends string> {
  by: Name
  isDown: boolean
}

/** Parses the chosen order. An unreadable value gives the default order. */
export function readSort<Name extends string>(text: string | null, names: readonly Name[], usual: Sort<Name>): Sort<Name> {
  const isDown = text?.startsWith('-') ?? false
  const by = names.find((name) => name === text?.slice(isDown ? 1 : 0))
  return by === undefined ? usual : { by, isDown }
}

export const sortText = ({ by, isDown }: Sort<string>) => `${isDown ? '-' : ''}${by}`

export const readPageNumber = (text: string | null): number => (/^[1-9]\d{0,3}$/.test(text ?? '') ? Number(text) : 1)

/** The URL of the same table with these choices, without empty ones. */
export function tableAddress(path: string, choices: Record<string, string | number | null>): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(choices)) if (value !== null && value !== '') query.set(name, String(value))
  return query.size > 0 ? `${path}?${query}` : path
}
