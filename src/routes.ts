import { route, type RouteConfig } from '@react-router/dev/routes'
import { pageTable } from './page-table.ts'

/**
 * The router's view of the page table. Tamil stands at the paths of the table, English at /en + the same path. Paths match in any letter
 * case and with or without a slash at the end. The list travels with the first page, so it is written once for both languages.
 */
export default [
  ...pageTable.map(({ path, file, id }) => route(path === '' ? 'en?' : `en?/${path}`, file, { id })),
  // A 404, or a room that later work opens.
  route('*', 'content/elsewhere-page.tsx', { id: 'elsewhere' }),
] satisfies RouteConfig
