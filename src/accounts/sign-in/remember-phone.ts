import { storeText, textOnDevice } from '#src/kit/device/storage.ts'

/** 'Remember me': the phone number is stored in this browser only, while it is ticked. */
const KEY = 'sandhai.phone'

export const rememberedPhone = () => textOnDevice(KEY)
export const rememberPhone = (phone: string | null) => storeText(KEY, phone || null)
