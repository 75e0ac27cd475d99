import { Notification } from 'react-admin'

/** What just happened. Good news goes by itself; the pointer or the focus on it holds it. */
export function Notices() {
  return (
    <Notification
      autoHideDuration={5_000}
      anchorOrigin={{ vertical: 'bottom', horizontal: 'center' }}
    />
  )
}
