import {
  ArrowLeft,
  BadgeCheck,
  Camera,
  ChevronLeft,
  ChevronRight,
  Heart,
  House,
  LogIn,
  Mail,
  MapPin,
  Megaphone,
  Menu,
  MessageCircle,
  Pause,
  Phone,
  Play,
  Plus,
  Rows3,
  Search,
  Share2,
  ShoppingCart,
  SlidersHorizontal,
  Square,
  Star,
  Stethoscope,
  Syringe,
  Tag,
  Truck,
  UserRound,
  X,
  type LucideIcon,
} from 'lucide-react'
import type { IconName } from './icon.tsx'

const drawings: Record<IconName, LucideIcon> = {
  back: ArrowLeft,
  badge: BadgeCheck,
  big: Square,
  camera: Camera,
  cart: ShoppingCart,
  chat: MessageCircle,
  close: X,
  filter: SlidersHorizontal,
  menu: Menu,
  heart: Heart,
  home: House,
  login: LogIn,
  mail: Mail,
  next: ChevronRight,
  pause: Pause,
  person: UserRound,
  phone: Phone,
  pin: MapPin,
  play: Play,
  plus: Plus,
  previous: ChevronLeft,
  rows: Rows3,
  search: Search,
  share: Share2,
  star: Star,
  stethoscope: Stethoscope,
  syringe: Syringe,
  tag: Tag,
  truck: Truck,
  wanted: Megaphone,
}

/** The drawings of the icons that many pages show, many times: once, in the frame, by the server alone. */
export function IconSheet() {
  return (
    <svg aria-hidden="true" width="0" height="0" className="absolute">
      {Object.entries(drawings).map(([name, Drawing]) => (
        <symbol key={name} id={`icon-${name}`} viewBox="0 0 24 24">
          {/* These are filled by who shows them; the others are lines. */}
          <Drawing size={24} fill={name === 'star' || name === 'heart' ? 'inherit' : 'none'} />
        </symbol>
      ))}
    </svg>
  )
}
