/** The worker that holds an engine. */

import { serve } from "../../../../wasm/worker.js";

serve(self);
