import Bowser from 'bowser'

/** The browser as its owner would name it: "Chrome · Android". Nothing else of the header is stored. */
export function deviceOf(userAgent: string): string {
  const { browser, os } = Bowser.parse(userAgent.slice(0, 500) || '-')
  return [browser.name, os.name].filter(Boolean).join(' · ').slice(0, 60)
}
