import {
  ArrowLeft,
  Baby,
  BadgeCheck,
  Boxes,
  Calendar,
  Camera,
  Mic,
  Video,
  ChevronLeft,
  ChevronRight,
  Heart,
  House,
  Image,
  LayoutList,
  LogIn,
  Mail,
  MapPin,
  Megaphone,
  Menu,
  MessageCircle,
  Milk,
  Palette,
  Pause,
  Phone,
  Play,
  Plus,
  Scale,
  Search,
  Share2,
  ShoppingCart,
  SlidersHorizontal,
  Star,
  Stethoscope,
  Syringe,
  Tag,
  Truck,
  UserRound,
  VenusAndMars,
  Weight,
  X,
  type LucideProps,
} from 'lucide-react'
import type { ComponentType } from 'react'
import type { IconName } from './icon.tsx'

const drawings: Record<IconName, ComponentType<LucideProps>> = {
  back: ArrowLeft,
  badge: BadgeCheck,
  big: Image,
  boxes: Boxes,
  calendar: Calendar,
  camera: Camera,
  mic: Mic,
  video: Video,
  cart: ShoppingCart,
  chat: MessageCircle,
  close: X,
  compare: Scale,
  filter: SlidersHorizontal,
  menu: Menu,
  heart: Heart,
  home: House,
  lactation: Baby,
  login: LogIn,
  mail: Mail,
  milk: Milk,
  next: ChevronRight,
  palette: Palette,
  pause: Pause,
  person: UserRound,
  phone: Phone,
  pin: MapPin,
  play: Play,
  plus: Plus,
  previous: ChevronLeft,
  rows: LayoutList,
  search: Search,
  sex: VenusAndMars,
  share: Share2,
  star: Star,
  stethoscope: Stethoscope,
  syringe: Syringe,
  tag: Tag,
  teeth: Tooth,
  truck: Truck,
  wanted: Megaphone,
  weight: Weight,
}

/** Lucide has no tooth icon. */
function Tooth(props: LucideProps) {
  return (
    <svg {...props} stroke="currentColor" strokeWidth="2" strokeLinecap="round" strokeLinejoin="round">
      <path d="M12 5.5C10.5 4.2 8.8 3.5 7 3.8 4.6 4.2 3.3 6.4 3.6 9c.3 2.4 1.4 3.6 1.9 6 .4 2 .6 6 2.5 6 1.8 0 1.5-5.5 4-5.5s2.2 5.5 4 5.5c1.9 0 2.1-4 2.5-6 .5-2.4 1.6-3.6 1.9-6 .3-2.6-1-4.8-3.4-5.2-1.8-.3-3.5.4-5 1.7z" />
    </svg>
  )
}

/** Attributes of each drawing that its symbol sets already. */
const needless: object = { xmlns: undefined, width: undefined, height: undefined, viewBox: undefined, 'aria-hidden': undefined }

/** The file of icons, one symbol each (icons.svg), which browsers fetch once. `npm run test:unit -- src/ui/icons.test.ts -u` writes it. */
export function IconSheet() {
  return (
    <svg xmlns="http://www.w3.org/2000/svg">
      {Object.entries(drawings).map(([name, Drawing]) => (
        <symbol key={name} id={name} viewBox="0 0 24 24">
          {/* The user of the icon sets the fill of these; the others are outlines. */}
          <Drawing fill={name === 'star' || name === 'heart' ? 'inherit' : 'none'} {...needless} />
        </symbol>
      ))}
    </svg>
  )
}
