/** A WhatsApp link to this E.164 number with a prepared text. */
export const whatsappLink = (phone: string, text: string) => `https://wa.me/${phone.slice(1)}?text=${encodeURIComponent(text)}`
