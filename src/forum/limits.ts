// Separate from schemas.ts, whose checks stay on the server.

/** Code points of a discussion's opening post, and of a reply (api.md, rows 53 and 56). */
export const MAX_CONTENT = 5000
export const MAX_REPLY = 3000

export const SORTS = ['newest', 'liked'] as const
export type Sort = (typeof SORTS)[number]
