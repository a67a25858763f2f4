import { askWorker } from './ask-worker.ts'
import type { LaterAct } from './send-later.ts'

/** The query of an address at which a refused act is corrected (`correctAt`); the act's number follows. */
export const CORRECT_QUERY = '?waiting='

type Refused = LaterAct & { n: number; state: string; reason?: string }

/** Takes the refused act that this page's address names out of the outbox, for the form that corrects it. */
export async function takeRefusedAct(kind: LaterAct['kind']): Promise<Refused | null> {
  const wanted = Number(new URLSearchParams(location.search).get('waiting'))
  if (!wanted) return null
  const acts = (await askWorker<Refused[]>({ ask: 'acts' })) ?? []
  const act = acts.find((each) => each.n === wanted && each.kind === kind && each.state === 'refused')
  if (!act) return null
  await askWorker({ ask: 'discard', n: act.n })
  dispatchEvent(new Event('acts-changed'))
  return act
}
