import { accountMedia } from '#src/accounts/media.server.ts'
import { checkMedia } from '#src/health/media.server.ts'
import type { Db } from '#src/kit/db/db.ts'
import type { MediaRights } from '#src/kit/media/media-rights.ts'
import { isAnyPictureUsed, namedKeysOf, namedKeysSql, usedKeysOf } from '#src/kit/uploads/used-pictures.server.ts'
import { listingMedia } from '#src/listings/media.server.ts'
import { orderMedia } from '#src/orders/media.server.ts'
import { unsentMedia } from '#src/selling/media.server.ts'

/** Every domain that has pictures or clips. */
export const mediaDomains: MediaRights[] = [listingMedia, checkMedia, accountMedia, unsentMedia, orderMedia]
export const usedPictures = mediaDomains.flatMap((domain) => domain.usedPictures)

/** The statement for the keys of all pictures of the market, in column `key`. */
export const NAMED_PICTURE_KEYS = namedKeysSql(usedPictures)

export const usedPictureKeys = (db: Db, keys: string[]): Promise<Set<string>> => usedKeysOf(usedPictures, db, keys)
export const namedPictureKeys = (db: Db): Promise<string[]> => namedKeysOf(usedPictures, db)
export const usesPictures = (db: Db): Promise<boolean> => isAnyPictureUsed(usedPictures, db)
