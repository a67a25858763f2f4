import { m } from '#src/paraglide/messages.js'
import { Icon } from './icon.tsx'

/** The badge of a verified seller; nothing for others. */
export const VerifiedSeller = ({ isVerified }: { isVerified: boolean }) =>
  isVerified && (
    <span className="chip-good">
      <Icon name="badge" size={16} />
      {m.card_verified_seller()}
    </span>
  )
