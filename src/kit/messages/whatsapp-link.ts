/** Opens a chat with this number, E.164, with a text to begin with. */
export const whatsappLink = (phone: string, text: string) => `https://wa.me/${phone.slice(1)}?text=${encodeURIComponent(text)}`
