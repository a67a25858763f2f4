import { m } from '#src/paraglide/messages.js'
import type { MilkingTime } from './proof-rules.ts'

const texts: Record<MilkingTime, () => string> = { morning: m.milk_morning, evening: m.milk_evening }

export const milkingTimeText = (time: MilkingTime): string => texts[time]()
