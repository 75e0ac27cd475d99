/** The settings: a menu of sections, and the section that the URL names. */
import { Suspense, useEffect } from 'react'
import { useSession } from '../../api/session.ts'
import { LoadBoundary } from '../../components/LoadBoundary.tsx'
import { ScreenTitle } from '../../components/ScreenTitle.tsx'
import { SiteFooter } from '../../components/SiteFooter.tsx'
import { API_DOCUMENTATION, go, hashOf, type ScreenProps } from '../../routes.ts'
import { AppHeader } from '../frame/AppHeader.tsx'
import { BackToDashboard } from '../frame/BackToDashboard.tsx'
import { FIRST_SECTION, sectionOf } from './sections.ts'
import { SectionSkeleton } from '../../components/SectionSkeleton.tsx'
import { SettingsNav } from './SettingsNav.tsx'
import '../../components/section.css'
import './settings.css'

/** @param props.place its argument is the section */
export default function SettingsScreen({ place: { argument, query } }: ScreenProps) {
  const { user } = useSession()
  const section = sectionOf(argument)
  useEffect(() => {
    if (section === undefined) go(hashOf('settings', {}, FIRST_SECTION), { replace: true })
  }, [section])
  if (user === undefined || section === undefined) return null
  const { id, title, Component } = section
  return (
    <>
      <AppHeader screen="settings" />
      <main tabIndex={-1} className="page settings">
        <div className="settings-top">
          <BackToDashboard />
          <a className="section-link" href={API_DOCUMENTATION}>
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
