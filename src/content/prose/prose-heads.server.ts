import type { Locale } from '#src/kit/text/locale.ts'
import { m } from '#src/paraglide/messages.js'
import type { ProseSlug } from './prose.ts'

type Text = (inputs: Record<string, never>, options: { locale: Locale }) => string

/** Title and description of each page, for the page itself and for search engines. */
const heads: Record<ProseSlug, { title: Text; lead: Text }> = {
  aboutus: { title: m.page_about_title, lead: m.page_about_lead },
  'how-it-works': { title: m.page_how_title, lead: m.page_how_lead },
  services: { title: m.page_services_title, lead: m.page_services_lead },
  'other-services': { title: m.page_other_title, lead: m.page_other_lead },
  careers: { title: m.page_careers_title, lead: m.page_careers_lead },
  terms: { title: m.page_terms_title, lead: m.page_terms_lead },
  'privacy-policy': { title: m.page_privacy_title, lead: m.page_privacy_lead },
  'coming-soon': { title: m.page_soon_title, lead: m.page_soon_lead },
  'what-may-not-be-sold': { title: m.page_banned_title, lead: m.page_banned_lead },
  'jersey-cattle-sale-coimbatore': { title: m.page_jersey_title, lead: m.page_jersey_lead },
  'indian-milk-cow-breeds-sale': { title: m.page_milk_title, lead: m.page_milk_lead },
  'goat-farming-in-coimbatore': { title: m.page_goat_title, lead: m.page_goat_lead },
  'farm-animals-pets-in-coimbatore': { title: m.page_farm_title, lead: m.page_farm_lead },
  'pet-shops-in-coimbatore': { title: m.page_pets_title, lead: m.page_pets_lead },
}

/** On the server only, to keep the names of all pages out of browser bundles. */
export function proseHead(slug: ProseSlug, locale: Locale): { title: string; description: string; keywords: string } {
  const { title, lead } = heads[slug]
  return {
    title: title({}, { locale }),
    description: lead({}, { locale }),
    // The head puts the title before them (kit/http/seo.ts).
    keywords: m.page_keywords({}, { locale }),
  }
}
