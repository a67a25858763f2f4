import fc from 'fast-check'
import { often } from './often.ts'

// Properties try the same examples in every everyday run, so that only a change can make one fail. The deep run tries new ones.
fc.configureGlobal({ ...often({ seed: 20_261_126 }, {}) })
