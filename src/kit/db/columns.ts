/** The named columns of a table, for a `select`: each name stands once. */
export const columnsOf = <T extends object, K extends keyof T>(table: T, ...names: K[]) =>
  Object.fromEntries(names.map((name) => [name, table[name]])) as Pick<T, K>
