"""The pages of the site. `docs.site` builds it."""
