const pictures: Record<number, string> = { 1: 'cow', 2: 'goat', 3: 'sheep', 4: 'chicken', 5: 'dog', 6: 'horse' }

/** The small drawing of a category's button. */
export const speciesPicture = (categoryId: number) => `/species/${pictures[categoryId] ?? 'all'}.webp`
