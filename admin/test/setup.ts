import { HttpError } from 'react-admin'
import { setUpScreens } from '../../test/screens.ts'
import { forgetSession } from '../src/access/session.ts'
import { mock } from './mock.ts'
import { serveAdministrator } from './records.ts'
import { leave } from './screen.tsx'

setUpScreens({
  mock,
  begin() {
    // A screen that was just left may have asked once more who is signed in.
    forgetSession()
    serveAdministrator()
  },
  leave,
  // In development, react-admin also logs the errors that it shows. jsdom does not know the element `search`.
  isExpected: (first) => first instanceof HttpError || String(first).startsWith('The tag <%s> is'),
})
