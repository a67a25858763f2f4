import { m } from '#src/paraglide/messages.js'

/** The body parts that a vet examines, and the three ratings of each. */
export type FindingPart = 'teeth' | 'udder' | 'gait' | 'skin'

export const findingTexts: Record<FindingPart, () => string> = {
  teeth: m.vet_teeth,
  udder: m.vet_udder,
  gait: m.vet_gait,
  skin: m.vet_skin,
}

export const findingWords: Record<'good' | 'watch' | 'bad', () => string> = {
  good: m.vet_good,
  watch: m.vet_watch,
  bad: m.vet_bad,
}
