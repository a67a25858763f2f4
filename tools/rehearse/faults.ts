import { setTimeout as sleep } from 'node:timers/promises'
import type { Cluster } from './database.ts'
import type { Front } from './front.ts'
import type { Store } from './store.ts'

export interface Stage {
  cluster: Cluster
  front: Front
  store: Store
}

export interface Fault {
  title: string
  /** Breaks something. Returns how to mend it, called after people have managed without it. */
  strike(stage: Stage): Promise<() => Promise<void> | void>
}

export const faults: Record<string, Fault> = {
  'leader-killed': {
    title: 'the leader and its Patroni killed -9, as a machine that lost power',
    strike: async ({ cluster }) => {
      const leader = await cluster.leader()
      leader.running.kill()
      return () => cluster.restart(leader)
    },
  },
  'leader-partitioned': {
    title: 'the leader and its Patroni frozen, as a machine that nobody reaches, and back later',
    strike: async ({ cluster }) => {
      const leader = await cluster.leader()
      leader.running.freeze()
      return () => leader.running.thaw()
    },
  },
  'switched-over': {
    title: 'switched over to the synchronous standby',
    strike: async ({ cluster }) => {
      await cluster.switchOver(await cluster.leader())
      return () => {}
    },
  },
  'standby-lost': {
    title: 'the synchronous standby killed -9',
    strike: async ({ cluster }) => {
      const standby = await cluster.synchronousStandby()
      standby.running.kill()
      return () => cluster.restart(standby)
    },
  },
  'pooler-restarted': {
    title: 'PgBouncer killed -9 and started again',
    strike: async ({ front }) => {
      await front.restartPooler()
      return () => {}
    },
  },
  'store-away': {
    title: 'the object store away',
    strike: async ({ store }) => {
      store.stop()
      await sleep(0)
      return () => store.start()
    },
  },
  'site-killed': {
    title: 'one process of the site killed -9',
    strike: async ({ front }) => {
      const [site] = front.sites
      site!.running.kill()
      return () => site!.restart()
    },
  },
}
