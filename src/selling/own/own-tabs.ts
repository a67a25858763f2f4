/** The three tabs of B §2 with their keys in the address, in the order of the specification. */
export const OWN_TABS = { ordered: '1', soldout: '2', instock: '3' } as const
export type OwnTab = keyof typeof OWN_TABS
export const ownTabs = Object.keys(OWN_TABS) as OwnTab[]

/** The tab that an address names; the animals in stock open first. */
export const ownTabIn = (query: URLSearchParams): OwnTab => ownTabs.find((tab) => OWN_TABS[tab] === query.get('tab')) ?? 'instock'
