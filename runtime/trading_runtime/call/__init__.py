"""One call: its attempts, which of them are repeated, what is raised, the journal."""
