"""Random C loop nests without undefined behaviour, and what is held against them."""
