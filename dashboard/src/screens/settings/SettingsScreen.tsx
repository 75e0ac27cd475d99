/** The settings: a menu of sections, and the section that the URL names. */
import { useQuery } from '@tanstack/react-query'
import { Suspense, useEffect } from 'react'
import { meQuery } from '../../api/account.ts'
import { useSession } from '../../api/session.ts'
import { Icon } from '@homing/theme/parts/Icon.tsx'
import { LoadBoundary } from '../../components/LoadBoundary.tsx'
import { ScreenTitle } from '../../components/ScreenTitle.tsx'
import { SiteFooter } from '../../components/SiteFooter.tsx'
import { API_DOCUMENTATION, go, hashOf, type ScreenProps } from '../../routes.ts'
import { AppHeader } from '../frame/AppHeader.tsx'
import { FIRST_SECTION, sectionOf } from './sections.ts'
import { SectionSkeleton } from '../../components/SectionSkeleton.tsx'
import { SettingsNav } from './SettingsNav.tsx'
import '../../components/section.css'
import './settings.css'

/** @param props.place its argument is the section */
export default function SettingsScreen({ place: { argument, query } }: ScreenProps) {
  const { user } = useSession()
  const { data: me } = useQuery(meQuery)
  const section = sectionOf(argument)
  useEffect(() => {
    if (section === undefined) go(hashOf('settings', {}, FIRST_SECTION), { replace: true })
  }, [section])
  if (user === undefined || section === undefined) return null
  const { id, title, Component } = section
  return (
    <>
      <AppHeader
        screen="settings"
        username={user.username}
        accountType={me?.account_type ?? user.account_type}
      />
      <main tabIndex={-1} className="page settings">
        <div className="settings-top">
          <a className="line-button" href={hashOf('dashboard')}>
            <Icon name="back" size={16} />
            Back to Dashboard
          </a>
          <a className="settings-link" href={API_DOCUMENTATION}>
            API documentation
          </a>
        </div>
        <SettingsNav key={id} current={section} />
        <div className="settings-section">
          <ScreenTitle key={id} title={`${title} · Settings`}>
            {title}
          </ScreenTitle>
          <LoadBoundary key={`${id} code`}>
            <Suspense fallback={<SectionSkeleton />}>
              <Component query={query} />
            </Suspense>
          </LoadBoundary>
        </div>
      </main>
      <SiteFooter />
    </>
  )
}
