/**
 * The prose pages, by their slug. The text of each is in content/<language>/<slug>.mdx, its title and description in
 * prose-heads.server.ts. All of them are cached for everybody (pages.server.ts), so nothing in them may depend on the reader.
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

/** A page for people whom we cannot serve; nobody searches for it. */
export const isIndexed = (slug: ProseSlug): boolean => slug !== 'coming-soon'
