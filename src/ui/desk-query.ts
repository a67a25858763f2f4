/** By which column a desk's table is sorted; in the address `sort=name`, downwards `sort=-name`. */
export interface Sort<Name extends string> {
  by: Name
  isDown: boolean
}

/** What an admin chose; anything unreadable means the usual order. */
export function readSort<Name extends string>(text: string | null, names: readonly Name[], usual: Sort<Name>): Sort<Name> {
  const isDown = text?.startsWith('-') ?? false
  const by = names.find((name) => name === text?.slice(isDown ? 1 : 0))
  return by === undefined ? usual : { by, isDown }
}

export const sortText = ({ by, isDown }: Sort<string>) => `${isDown ? '-' : ''}${by}`

/** The number of a page of a table, from 1. */
export const readPageNumber = (text: string | null): number => (/^[1-9]\d{0,3}$/.test(text ?? '') ? Number(text) : 1)

/** The address of the same table with these choices; what is empty is left out. */
export function tableAddress(path: string, choices: Record<string, string | number | null>): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(choices)) if (value !== null && value !== '') query.set(name, String(value))
  return query.size > 0 ? `${path}?${query}` : path
}
