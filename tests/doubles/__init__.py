"""Stand-ins for what a client meets, and builders of what it sends and reads.

`transport`: answers without a network. `server`: answers at a loopback port. `clock`: virtual time. `signer`: a
signer that does as it is told. `orders`: arguments, records and errors. `calls`: calls of each retry class.
"""
