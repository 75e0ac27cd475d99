/** The page of one domain. The URL names the domain and the part that is shown: `#domain/home.example.net?tab=history`. */
import { useEffect } from 'react'
import { useLiveDomains } from '../../api/live/use-live.ts'
import { useSession } from '../../api/session.ts'
import { SiteFooter } from '../../components/SiteFooter.tsx'
import { go, hashOf, type ScreenProps } from '../../routes.ts'
import { AppHeader } from '../frame/AppHeader.tsx'
import { BackToDashboard } from '../frame/BackToDashboard.tsx'
import { DomainPage } from './DomainPage.tsx'
import { tabOf } from './tabs.ts'
import '../../components/section.css'
import './domain.css'

/** Rows of records must not move under the pointer. The other lists of the tabs keep what is read in place themselves. */
const areRowsHeld = () => document.querySelector('.records tbody:hover') !== null

/** The name in the URL. A name that was typed there can be in Unicode, which browsers encode. */
function nameIn(argument: string): string {
  try {
    return decodeURIComponent(argument).toLowerCase()
  } catch {
    return argument
  }
}

/** @param props.place its argument is the domain */
export default function DomainScreen({ place: { argument, query } }: ScreenProps) {
  const { user } = useSession()
  const live = useLiveDomains(areRowsHeld)
  useEffect(() => {
    if (argument === '') go(hashOf('dashboard'), { replace: true })
  }, [argument])
  if (user === undefined || argument === '') return null
  return (
    <>
      <AppHeader screen="domain" />
      <main tabIndex={-1} className="page domain-page">
        <p>
          <BackToDashboard />
        </p>
        <DomainPage key={argument} name={nameIn(argument)} tab={tabOf(query)} live={live} />
      </main>
      <SiteFooter />
    </>
  )
}
