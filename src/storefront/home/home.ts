/** Selects `shown` trending animals in order. The spare ones replace animals that "Top in Market" already shows, the least viewed repeats first. */
export function withoutRepeats<Card extends { id: number }>(trending: Card[], top: Card[], shown: number): Card[] {
  const repeated = trending.filter(({ id }) => top.some((card) => card.id === id))
  const spare = Math.max(0, trending.length - shown)
  const dropped = new Set(repeated.slice(repeated.length - Math.min(spare, repeated.length)))
  return trending.filter((card) => !dropped.has(card)).slice(0, shown)
}
