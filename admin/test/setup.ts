import { HttpError } from 'react-admin'
import { setUpScreens } from '../../test/screens.ts'
import { mock } from './mock.ts'
import { serveAdministrator } from './records.ts'
import { leave } from './screen.tsx'

setUpScreens({
  mock,
  begin: serveAdministrator,
  leave,
  // In development, react-admin also logs the errors that it shows. jsdom does not know the element `search`.
  isExpected: (first) => first instanceof HttpError || String(first).startsWith('The tag <%s> is'),
})
