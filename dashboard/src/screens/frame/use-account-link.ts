import { useSession } from '../../api/session.ts'
import { LOGIN_LINK, type PageLink } from '../../components/CardPage.tsx'
import { hashOf } from '../../routes.ts'

/** The link in the header of a page that visitors and signed-in users see. */
export function useAccountLink(): PageLink {
  const { user } = useSession()
  return user === undefined ? LOGIN_LINK : { label: 'Dashboard', href: hashOf('dashboard') }
}
