// The local storage of this browser. It may be blocked or full, so nothing here throws.

/** Returns the text under this key, or null. */
export function textOnDevice(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

/** Null deletes the text. Returns false when the browser cannot store it. */
export function storeText(key: string, text: string | null): boolean {
  try {
    if (text === null) localStorage.removeItem(key)
    else localStorage.setItem(key, text)
    return true
  } catch {
    return false
  }
}

/** Returns the stored value of this key; null when there is none or it is damaged. The caller checks its shape. */
export function valueOnDevice(key: string): unknown {
  try {
    return JSON.parse(textOnDevice(key) ?? 'null') as unknown
  } catch {
    return null
  }
}

/** Returns false when the browser cannot store it. */
export const storeValue = (key: string, value: unknown): boolean => storeText(key, JSON.stringify(value))
