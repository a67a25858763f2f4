import { existsSync } from 'node:fs'

/** Debian programs that some tests run with our configuration. Where a package is missing, the run reports that its tests were left out. */
const programs = {
  pgbackrest: { package: 'pgbackrest', path: '/usr/bin/pgbackrest' },
  pgbouncer: { package: 'pgbouncer', path: '/usr/sbin/pgbouncer' },
  promtool: { package: 'prometheus', path: '/usr/bin/promtool' },
  nginx: { package: 'nginx', path: '/usr/sbin/nginx' },
  haproxy: { package: 'haproxy', path: '/usr/sbin/haproxy' },
  caddy: { package: 'caddy', path: '/usr/bin/caddy' },
  nft: { package: 'nftables', path: '/usr/sbin/nft' },
}

export const pathOf = (program: keyof typeof programs): string | null =>
  existsSync(programs[program].path) ? programs[program].path : null

/** One line for each missing program. */
export const leftOut = (): string[] =>
  Object.entries(programs).flatMap(([program, { package: name, path }]) =>
    existsSync(path) ? [] : [`NOT TRIED: what needs ${program} (Debian's package ${name} is not installed here)`],
  )
