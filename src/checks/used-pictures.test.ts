import { getTableConfig, PgTable } from 'drizzle-orm/pg-core'
import { expect, test } from 'vitest'
import { mediaDomains } from '#src/content/privacy/media-domains.server.ts'
import type { MediaRights } from '#src/kit/media/media-rights.ts'

const tableFiles = import.meta.glob<Record<string, unknown>>('../**/tables.ts', { eager: true })
const mediaFiles = import.meta.glob<Record<string, MediaRights>>('../**/media.server.ts', { eager: true })
const roomOf = (path: string) => path.split('/')[1]
const isMedia = (value: unknown): value is MediaRights => typeof value === 'object' && value !== null && 'isFor' in value

test('every domain with a media.server.ts is one of the domains whose pictures are not orphans', () => {
  const declared = Object.values(mediaFiles).flatMap((file) => Object.values(file).filter(isMedia))
  expect(declared.length).toBeGreaterThan(4)
  expect(new Set(mediaDomains)).toEqual(new Set(declared))
})

test('every column that holds the key of a picture is named by the media.server.ts of its own room', () => {
  const holding = Object.entries(tableFiles).flatMap(([path, file]) =>
    Object.values(file)
      .filter((value) => value instanceof PgTable)
      .flatMap((table) => {
        const { name, columns } = getTableConfig(table)
        const keys = columns.filter((column) => /^(media|still|picture|photo)_key$/.test(column.name))
        return keys.map((column) => `${roomOf(path)}: ${name}.${column.name}`)
      }),
  )
  const named = Object.entries(mediaFiles).flatMap(([path, file]) =>
    Object.values(file)
      .filter(isMedia)
      .flatMap(({ usedPictures }) => usedPictures.map(([table, column]) => `${roomOf(path)}: ${table}.${column}`)),
  )
  // An order keeps the animal as it was ordered as one JSON value.
  expect(named.toSorted()).toEqual([...holding, "orders: orders.animal->>'photoKey'"].toSorted())
})
