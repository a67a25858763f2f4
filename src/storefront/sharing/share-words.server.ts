import { m } from '#src/paraglide/messages.js'
import { drawable } from './drawing.server.ts'
import type { ShareFacts } from './share-facts.server.ts'

/** What both pictures say of an animal: its name or else its breed, its place, and why one may trust it. */
export function shareWords({ locale, ...facts }: ShareFacts) {
  const sort = facts.breed ?? facts.category
  return {
    sort,
    title: drawable(facts.name) || sort,
    where: facts.taluk === facts.district ? facts.district : `${facts.taluk}, ${facts.district}`,
    badges: [
      facts.isSellerVerified ? m.card_verified_seller({}, { locale }) : null,
      facts.isVetChecked ? m.card_vet({}, { locale }) : null,
      facts.isVaccinated ? m.card_vaccinated({}, { locale }) : null,
    ].filter((text) => text !== null),
  }
}
