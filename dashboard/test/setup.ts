import { setUpScreens } from '../../test/screens.ts'
import { mock } from './mock.ts'
import { leave } from './screen.tsx'

setUpScreens({ mock, leave })
