import { notify, Notices as NoticeList } from '@homing/theme/parts/Notices.tsx'
import { type ReactNode, useEffect } from 'react'
import { useNotificationContext, useTranslate } from 'react-admin'

type Translate = ReturnType<typeof useTranslate>

/** The text of a notice. Only react-admin's own messages are keys of translations. */
const textOf = (message: ReactNode, translate: Translate, options: object) =>
  typeof message === 'string' ? translate(message, { _: message, ...options }) : ''

/** Shows the notices of react-admin. */
export function Notices() {
  const { notifications, takeNotification } = useNotificationContext()
  const translate = useTranslate()
  useEffect(() => {
    if (notifications.length === 0) return
    const next = takeNotification()
    if (!next) return
    const { message, type, notificationOptions } = next
    notify({
      kind: type === 'success' ? 'success' : type === 'info' ? 'info' : 'failure',
      text: textOf(message, translate, notificationOptions?.messageArgs ?? {}),
    })
  }, [notifications, takeNotification, translate])
  return <NoticeList />
}
