/** The notices that the dashboard shows itself: the first steps, and what needs attention. */
import { useQuery } from '@tanstack/react-query'
import { noticesQuery } from '../../../api/notices.ts'
import { useKeptSpace } from '../../frame/use-kept-space.ts'
import { AttentionList } from './AttentionList.tsx'
import { FirstSteps } from './FirstSteps.tsx'

export function HomeNotices() {
  const { isPending, error } = useQuery(noticesQuery)
  const isKnown = !isPending || error !== null
  const slot = useKeptSpace({ key: 'home_height', isKnown, firstHeight: 0 })
  return (
    <div ref={slot} className="home-notices">
      <FirstSteps />
      <AttentionList />
    </div>
  )
}
