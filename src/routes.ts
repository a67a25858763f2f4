import { route, type RouteConfig } from '@react-router/dev/routes'
import { pageTable } from './page-table.ts'

/**
 * The router's view of the page table: Tamil at the table's paths, English at /en + the same path. Paths ignore letter case and a trailing
 * slash. The list travels with the first page, so each path serves both languages.
 */
export default [
  ...pageTable.map(({ path, file, id }) => route(path === '' ? 'en?' : `en?/${path}`, file, { id })),
  // Anything else is a 404.
  route('*', 'content/elsewhere-page.tsx', { id: 'elsewhere' }),
] satisfies RouteConfig
