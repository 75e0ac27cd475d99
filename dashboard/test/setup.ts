import { setUpScreens } from '../../test/screens.ts'
import { mock, ok } from './mock.ts'
import { leave } from './screen.tsx'

// Without notices, unless a test is about them: a banner is above every screen.
setUpScreens({ mock, leave, begin: () => mock.handle({ listNotices: () => ok([]) }) })
