import { createRoot } from "react-dom/client"
// Renders the example of docs/customers/client.md.
import { Score } from "./Score"

const root = document.getElementById("root")
if (root !== null) createRoot(root).render(<Score matchId="cs2-match-1001" />)
