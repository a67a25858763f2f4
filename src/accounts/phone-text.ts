/** Grouped for reading aloud: +91 98765 43210, with no-break spaces. */
export const phoneText = (phone: string) => phone.replace(/^\+91(\d{5})(\d{5})$/, '+91\u00A0$1\u00A0$2')
