/** How Sandhai itself is reached. Sample values, as the footer says. */
export const providerContact = { phone: '+919000000000', mail: 'help@sandhai.example' } as const

export const whatsappLink = (phone: string, text: string) => `https://wa.me/${phone.slice(1)}?text=${encodeURIComponent(text)}`
