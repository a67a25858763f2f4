/**
 * 'Remember me': the phone number, in this browser only, and only while it is ticked. Private windows and full storages may
 * refuse; then nothing is remembered.
 */
const KEY = 'sandhai.phone'

export function rememberedPhone(): string | null {
  try {
    return localStorage.getItem(KEY)
  } catch {
    return null
  }
}

export function rememberPhone(phone: string | null): void {
  try {
    if (phone) localStorage.setItem(KEY, phone)
    else localStorage.removeItem(KEY)
  } catch {
    // Remembering is optional.
  }
}
