import { Notification } from 'react-admin'

/** Notices. A success disappears by itself, but not while the pointer or the focus is on it. */
export function Notices() {
  return (
    <Notification
      autoHideDuration={5_000}
      anchorOrigin={{ vertical: 'bottom', horizontal: 'center' }}
    />
  )
}
