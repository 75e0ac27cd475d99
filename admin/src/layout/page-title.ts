import { useEffect } from 'react'

/** The document's title: the page first, because tabs show little. */
export function usePageTitle(title: string | undefined): void {
  useEffect(() => {
    document.title = title ? `${title} · Homing back office` : 'Homing back office'
  }, [title])
}
