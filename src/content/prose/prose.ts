/** The prose pages that phones copy. */
export const copiedSlugs = [
  'aboutus',
  'how-it-works',
  'services',
  'other-services',
  'careers',
  'terms',
  'privacy-policy',
  'what-may-not-be-sold',
] as const

/**
 * The prose pages by slug. content/<language>/<slug>.mdx has the text of each, prose-heads.server.ts its title and description. All of them
 * are cached for everybody (server/pages), so nothing in them may depend on the reader.
 */
export const proseSlugs = [
  ...copiedSlugs,
  'coming-soon',
  'jersey-cattle-sale-coimbatore',
  'indian-milk-cow-breeds-sale',
  'goat-farming-in-coimbatore',
  'farm-animals-pets-in-coimbatore',
  'pet-shops-in-coimbatore',
] as const
export type ProseSlug = (typeof proseSlugs)[number]

export const proseSlugOf = (text: string | undefined): ProseSlug | null => proseSlugs.find((slug) => slug === text?.toLowerCase()) ?? null

/** A page for people whom we cannot serve; nobody searches for it. */
export const isIndexed = (slug: ProseSlug): boolean => slug !== 'coming-soon'

/** The number of a sheet of the terms in its address; any other value shows the first sheet. */
export const SHEET_NUMBER = /^[1-9]\d?$/
