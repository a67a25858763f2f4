/**
 * The pages of words, by their address. The text of each stands in content/<language>/<address>.mdx, its title and description in
 * prose-heads.server.ts. All of them are kept for everybody (pages.server.ts), so nothing in them may know who reads.
 */
export const proseSlugs = [
  'aboutus',
  'how-it-works',
  'services',
  'other-services',
  'careers',
  'terms',
  'privacy-policy',
  'coming-soon',
  'what-may-not-be-sold',
  'jersey-cattle-sale-coimbatore',
  'indian-milk-cow-breeds-sale',
  'goat-farming-in-coimbatore',
  'farm-animals-pets-in-coimbatore',
  'pet-shops-in-coimbatore',
] as const
export type ProseSlug = (typeof proseSlugs)[number]

export const proseSlugOf = (text: string | undefined): ProseSlug | null => proseSlugs.find((slug) => slug === text?.toLowerCase()) ?? null

/** Said to whom we cannot serve; nothing that somebody looks for. */
export const isIndexed = (slug: ProseSlug): boolean => slug !== 'coming-soon'
