import { m } from '#src/paraglide/messages.js'
import { drawable } from './drawing.server.ts'
import type { ShareFacts } from './share-facts.server.ts'

/** The texts of both pictures: the name or else the breed, the place, and the trust signs. */
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
