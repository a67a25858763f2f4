/**
 * Of the trending ones as many as are shown, in their order. What is fetched beyond that stands in for animals that
 * "Top in Market" shows anyway, the least looked at of them first.
 */
export function withoutRepeats<Card extends { id: number }>(trending: Card[], top: Card[], shown: number): Card[] {
  const repeated = trending.filter(({ id }) => top.some((card) => card.id === id))
  const spare = Math.max(0, trending.length - shown)
  const left = new Set(repeated.slice(repeated.length - Math.min(spare, repeated.length)))
  return trending.filter((card) => !left.has(card)).slice(0, shown)
}
